// planted_faults.go SECONDS FILE: a service with one planted fault, as planted_faults.c has.
//
//	a goroutine holds the ledger's lock while FILE goes to the disk: others wait for it     main.commitLedger
//
// Prints "ready" when its goroutines have begun.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

var ledger sync.Mutex
var sink int

func commitLedger(file *os.File, entry []byte) {
	if _, err := file.WriteAt(entry, 0); err != nil {
		panic(err)
	}
	if err := file.Sync(); err != nil {
		panic(err)
	}
}

func writeLedger(file *os.File) {
	entry := make([]byte, 8<<20)
	for {
		ledger.Lock()
		commitLedger(file, entry)
		ledger.Unlock()
		time.Sleep(2 * time.Millisecond)
	}
}

func priceOrder() {
	for i := 0; i < 200000; i++ {
		sink += i
	}
}

func takeOrders() {
	for {
		ledger.Lock()
		priceOrder()
		ledger.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
}

func main() {
	seconds, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil {
		panic(err)
	}
	file, err := os.Create(os.Args[2])
	if err != nil {
		panic(err)
	}
	go writeLedger(file)
	for i := 0; i < 3; i++ {
		go takeOrders()
	}
	fmt.Println("ready")
	time.Sleep(time.Duration(seconds * float64(time.Second)))
}
